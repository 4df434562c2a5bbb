/** The file of a translation job, read and delivered: all that a translator needs a right to. */
import { request } from '../../api/client';
import { t } from '../../app/i18n';
import type { TranslationUnit, TranslationWork } from './translation-work';
import { labelFileUnit } from './unit-labels';

interface JobFile {
	content: string;
	sourceLang: string;
	targetLang: string;
}

/** Return the path of a job's file. */
export function getJobFilePath(number: number): string {
	return `/wpml/tm/v1/xliff/fetch/${String(number)}`;
}

/** Fetch the file of a job as text. memory: with what earlier translations lend. */
export async function fetchJobFile(number: number, memory = true): Promise<{ text: string; from: string; to: string }> {
	const file = await request<JobFile>(getJobFilePath(number), { query: { memory } });
	const bytes = Uint8Array.from(atob(file.content), (one) => one.charCodeAt(0));
	return { text: new TextDecoder().decode(bytes), from: file.sourceLang, to: file.targetLang };
}

/** Deliver the filled file of a job. complete: whether it is finished by this; texts may else be missing. */
export function deliverJobFile(number: number, xliff: string, complete: boolean): Promise<unknown> {
	return request(getJobFilePath(number), { method: 'POST', body: { xliff, complete } });
}

/** Read the texts of a job. */
export async function loadJobWork(number: number): Promise<TranslationWork> {
	const { text, from, to } = await fetchJobFile(number);
	const file = new DOMParser().parseFromString(text, 'application/xml');
	const elements = [...file.querySelectorAll('trans-unit')];
	const units = elements.map(readUnit);
	const save = async (texts: Record<string, string>, finish: boolean): Promise<string> => {
		for (const element of elements) {
			writeTarget(file, element, texts[element.id] ?? '');
		}
		await deliverJobFile(number, new XMLSerializer().serializeToString(file), finish);
		return finish ? t('The job is delivered.') : t('The job is saved.');
	};
	return {
		title: units.find(({ id }) => id === 'title')?.source ?? t('Translation job'),
		from,
		to,
		units,
		notes: [],
		translationPath: null,
		saveLabel: t('Save'),
		finishLabel: t('Deliver'),
		save,
	};
}

function readUnit(element: Element): TranslationUnit {
	const source = element.querySelector('source')?.textContent ?? '';
	const isText = element.id === 'title' || element.id.startsWith('t_') || element.id === 'URL';
	return {
		id: element.id,
		label: labelFileUnit(element.id, element.getAttribute('resname') ?? ''),
		source,
		target: element.querySelector('target')?.textContent ?? '',
		format: element.getAttribute('datatype') === 'html' && !isText ? 'html' : 'plain',
	};
}

function writeTarget(file: Document, element: Element, text: string): void {
	const namespace = file.documentElement.namespaceURI;
	let target = element.querySelector('target');
	if (!target) {
		target = file.createElementNS(namespace, 'target');
		element.querySelector('source')?.after(target);
	}
	target.replaceChildren(file.createTextNode(text));
}
