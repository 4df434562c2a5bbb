/** Hands the files of jobs to the browser: one as it is, many in an archive. */
import { fetchJobFile } from '../translate/job-work';
import { getJobNumber, type TranslationJob } from './job';
import { buildZip } from './zip';

/** Download the XLIFF files of jobs. */
export async function downloadJobFiles(jobs: TranslationJob[]): Promise<void> {
	const files: { name: string; text: string }[] = [];
	for (const job of jobs) {
		const number = getJobNumber(job);
		const { text } = await fetchJobFile(number);
		files.push({ name: `job-${String(number)}.xliff`, text });
	}
	const [only] = files;
	if (files.length === 1 && only) {
		offerFile(new Blob([only.text], { type: 'application/xliff+xml' }), only.name);
	} else {
		offerFile(buildZip(files), 'jobs.zip');
	}
}

function offerFile(content: Blob, name: string): void {
	const url = URL.createObjectURL(content);
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	window.setTimeout(() => URL.revokeObjectURL(url), 1000);
}
