import { describeProgress, type Progress } from './job';

/** How far a job is: a bar, and the same in words. */
export function ProgressBar({ progress, label }: { progress: Progress | null; label: string }) {
	const known = progress !== null && progress.of > 0;
	return (
		<div className="job-progress">
			<progress
				aria-label={label}
				max={known ? progress.of : undefined}
				value={known ? Math.min(progress.done, progress.of) : undefined}
			/>
			{progress && <span className="quiet">{describeProgress(progress)}</span>}
		</div>
	);
}
