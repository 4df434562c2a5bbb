import type { Query } from '../../api/client';
import { useCollection } from '../../api/collections';
import { boot, defaultLanguage, isMultilingual, type Language } from '../../app/boot';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { withContentLanguage } from '../../app/router';
import { readText, type Item } from '../../list/collection';
import { Entry, Panel } from './panel';

const SHOWN = 5;

interface RecordsProps {
	title: string;
	types: ContentType[];
	query: Query;
	/** Whether the note tells the moment of publication instead of that of the last change. */
	scheduled?: boolean;
}

/** Records of every type that are in some state, in every language. */
export function RecordsPanel({ title, types, query, scheduled = false }: RecordsProps) {
	return (
		<Panel title={title}>
			{types.flatMap((type) =>
				boot.languages.map(({ code }) => (
					<RecordEntries key={`${type.slug} ${code}`} type={type} language={code} query={query} scheduled={scheduled} />
				)),
			)}
		</Panel>
	);
}

interface EntriesProps {
	type: ContentType;
	language: string;
	query: Query;
	scheduled: boolean;
}

function RecordEntries({ type, language, query, scheduled }: EntriesProps) {
	const { value } = useCollection<Item>(
		getCollectionPath(type),
		{ context: 'edit', per_page: SHOWN, _fields: 'id,title,lang,modified_gmt,date_gmt', ...query },
		language,
	);
	// A type without a language of its own, or one that falls back, shows the same records in each.
	const own = value?.items.filter((item) => !item['lang'] || item['lang'] === language) ?? [];
	if (!own.length || (own.every((item) => !item['lang']) && language !== defaultLanguage)) {
		return null;
	}
	// Where others are among them, nobody knows how many of the rest are.
	const left = own.length === value?.items.length ? value.total - own.length : 0;
	return (
		<>
			{own.map((item) => {
				const when = parseGmt(String(item[scheduled ? 'date_gmt' : 'modified_gmt']));
				return (
					<Entry
						key={item.id}
						note={`${type.labels['singular_name'] ?? type.name} · ${scheduled ? formatTime(when) : formatAge(when)}`}
					>
						<Link lang={language} to={withContentLanguage(`/content/${type.slug}/${String(item.id)}`, language)}>
							{readText(item['title']) || t('(no title)')}
						</Link>
					</Entry>
				);
			})}
			{left > 0 && (
				<Entry>
					<Link to={withContentLanguage(`/content/${type.slug}`, language)}>
						{/* translators: %1$d: a number, %2$s: name of a content type */}
						{sprintf(t('%1$d more: %2$s'), left, type.labels['name'] ?? type.name)}
					</Link>
				</Entry>
			)}
		</>
	);
}

/** What of the site's first language has no translation, by type. */
export function MissingTranslations({ types }: { types: ContentType[] }) {
	if (!isMultilingual) {
		return null;
	}
	return (
		<Panel title={t('Missing translations')}>
			{types.map((type) => (
				<MissingOfType key={type.slug} type={type} />
			))}
		</Panel>
	);
}

function MissingOfType({ type }: { type: ContentType }) {
	return (
		<>
			{boot.languages
				.filter(({ code }) => code !== defaultLanguage)
				.map((language) => (
					<MissingInLanguage key={language.code} type={type} language={language} />
				))}
		</>
	);
}

function MissingInLanguage({ type, language }: { type: ContentType; language: Language }) {
	const { value } = useCollection<Item>(
		getCollectionPath(type),
		{ context: 'edit', status: 'publish', per_page: 1, _fields: 'id,title', untranslated_in: language.code },
		defaultLanguage,
	);
	const first = value?.items[0];
	if (!first) {
		return null;
	}
	return (
		<Entry
			note={
				<>
					{t('Next:')}{' '}
					<Link
						lang={defaultLanguage}
						to={`/translate/${type.slug}/${String(first.id)}?from=${defaultLanguage}&to=${language.code}`}
					>
						{readText(first['title']) || t('(no title)')}
					</Link>
				</>
			}
		>
			<Link to={`/content/${type.slug}?view=published&untranslated_in=${language.code}`}>
				{type.labels['name'] ?? type.name}, {language.name}
			</Link>
			: {sprintf(tn('%d is missing', '%d are missing', value.total), value.total)}
		</Entry>
	);
}
