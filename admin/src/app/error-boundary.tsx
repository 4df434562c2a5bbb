import { Component, type ReactNode } from 'react';

import { describeError } from '../api/errors';
import { t } from './i18n';

interface State {
	error: unknown;
}

/** Shows a screen's fault in its place, so that the rest of the administration goes on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
	override state: State = { error: null };

	static getDerivedStateFromError(error: unknown): State {
		return { error };
	}

	override render(): ReactNode {
		if (this.state.error === null) {
			return this.props.children;
		}
		return (
			<section className="screen" role="alert">
				<h1>{t('This screen has failed')}</h1>
				<p>{describeError(this.state.error)}</p>
				<button type="button" className="button" onClick={() => this.setState({ error: null })}>
					{t('Try again')}
				</button>
			</section>
		);
	}
}
