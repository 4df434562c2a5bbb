import type { Query } from '../../api/client';
import { useCollection } from '../../api/collections';
import { boot, defaultLanguage, isMultilingual } from '../../app/boot';
import { getCollectionPath, type ContentType } from '../../app/content-types';
import { formatAge, formatTime, parseGmt } from '../../app/formats';
import { sprintf, t, tn } from '../../app/i18n';
import { Link } from '../../app/link';
import { withContentLanguage } from '../../app/router';
import { readText, type Item } from '../../list/collection';
import { Entry, Panel } from './panel';

const SHOWN = 5;
/** Records that are looked at for missing translations, the newest ones. */
const LOOKED_AT = 100;

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
	const { value } = useCollection<Item>(
		getCollectionPath(type),
		{ context: 'edit', status: 'publish', per_page: LOOKED_AT, _fields: 'id,title,lang,translations' },
		defaultLanguage,
	);
	const items = value?.items.filter((item) => item['lang'] === defaultLanguage) ?? [];
	return (
		<>
			{boot.languages
				.filter(({ code }) => code !== defaultLanguage)
				.map(({ code, name }) => {
					const missing = items.filter((item) => !((item['translations'] ?? {}) as Record<string, unknown>)[code]);
					const [first] = missing;
					if (!first) {
						return null;
					}
					const count = sprintf(tn('%d is missing', '%d are missing', missing.length), missing.length);
					const partly = (value?.total ?? 0) > LOOKED_AT ? ` (${t('of the newest hundred')})` : '';
					return (
						<Entry
							key={code}
							note={
								<>
									{t('Next:')}{' '}
									<Link
										lang={defaultLanguage}
										to={`/translate/${type.slug}/${String(first.id)}?from=${defaultLanguage}&to=${code}`}
									>
										{readText(first['title']) || t('(no title)')}
									</Link>
								</>
							}
						>
							<Link to={`/content/${type.slug}`}>
								{type.labels['name'] ?? type.name}, {name}
							</Link>
							: {count}
							{partly}
						</Entry>
					);
				})}
		</>
	);
}
