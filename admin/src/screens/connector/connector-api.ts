/** The routes of the connector, as the internal root of the administration names them. */
export const CONNECTOR_PATH = '/jetpack/v4';
export const CONNECTION_PATH = `${CONNECTOR_PATH}/connection`;
export const SYNC_PATH = `${CONNECTOR_PATH}/sync`;

export interface ConnectionState {
	isStaging: boolean;
	isRegistered: boolean;
	isUserConnected: boolean;
	hasConnectedOwner: boolean;
	offlineMode: { isActive: boolean };
}

export interface ModuleProgress {
	total: number | string;
	sent: number;
	finished: boolean;
}

export interface SyncStatus {
	started: number | false;
	finished: number | false;
	/** An empty list where no full sync was begun. */
	progress: Record<string, ModuleProgress> | [];
	queue_size: number;
	/** Seconds that the oldest change waits. */
	queue_lag: number;
	debug_details: {
		sync_allowed: boolean;
		sync_health: string;
		is_sync_enabled?: false;
		last_succesful_sync: number | false;
		/** Why each queue could not be sent the last time. */
		sync_error_log: { queue: string; time: number; message: string }[];
		sync_locks: Record<string, number | boolean>;
	};
}

/** Return a time of the connector, seconds since 1970, as a date. */
export function readSeconds(seconds: number): Date {
	return new Date(seconds * 1000);
}
