/** Markup that the small editor of a field writes: paragraphs, headings, lists, quotes, emphasis, links. */

/** What an element becomes; browsers and word processors have several for one thing. */
const ELEMENTS: Record<string, string> = {
	p: 'p',
	div: 'p',
	h2: 'h2',
	h3: 'h3',
	h4: 'h4',
	ul: 'ul',
	ol: 'ol',
	li: 'li',
	blockquote: 'blockquote',
	strong: 'strong',
	b: 'strong',
	em: 'em',
	i: 'em',
	a: 'a',
	br: 'br',
};
const BLOCKS = new Set(['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'blockquote']);
const ADDRESS = /^(https?:|mailto:|tel:|\/|#)/i;
const HAS_BLOCKS = /<(p|h[2-4]|ul|ol|blockquote)\b/i;

function parse(html: string): HTMLElement {
	// Nothing in a document of its own is loaded or run.
	return new DOMParser().parseFromString(html, 'text/html').body;
}

/** Return whether the small editor keeps all of a text; another one is written as HTML. */
export function isSimpleMarkup(html: string): boolean {
	return !html.includes('<!--') && [...parse(html).querySelectorAll('*')].every(isSimpleElement);
}

function isSimpleElement(element: Element): boolean {
	const name = element.localName;
	const allowed = name === 'a' ? ['href'] : [];
	return (
		ELEMENTS[name] === name &&
		element.getAttributeNames().every((one) => allowed.includes(one)) &&
		(name !== 'a' || ADDRESS.test(element.getAttribute('href') ?? ''))
	);
}

/** Return a text as the editor shows it, in which each space is one that was written. */
export function prepareMarkup(html: string): string {
	const body = parse(cleanMarkup(addParagraphs(html)));
	for (const node of listTexts(body)) {
		const isBetween =
			node.parentElement === body || ['ul', 'ol', 'blockquote'].includes(node.parentElement?.localName ?? '');
		node.data = isBetween && node.data.trim() === '' ? '' : node.data.replaceAll(/[ \t]*\n\s*/g, ' ');
	}
	return body.innerHTML;
}

function listTexts(body: Element): Text[] {
	const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
	const found: Text[] = [];
	while (walker.nextNode()) {
		found.push(walker.currentNode as Text);
	}
	return found;
}

/** Return a text with paragraphs: one without any has them where its lines are empty. */
function addParagraphs(html: string): string {
	if (html.trim() === '' || HAS_BLOCKS.test(html)) {
		return html;
	}
	const parts = html.trim().split(/\n\s*\n/);
	return parts.map((one) => `<p>${one.replaceAll('\n', '<br>')}</p>`).join('');
}

/** Return what was written as a text of its own: what stands in no paragraph gets one. */
export function completeMarkup(html: string): string {
	const body = parse(cleanMarkup(html));
	let paragraph: Element | null = null;
	for (const node of [...body.childNodes]) {
		if (node instanceof Element && BLOCKS.has(node.localName)) {
			paragraph = null;
		} else {
			if (paragraph === null) {
				paragraph = document.createElement('p');
				node.before(paragraph);
			}
			paragraph.append(node);
		}
	}
	// A list that was begun in a paragraph leaves an empty one on each side of it.
	body.querySelectorAll('p:empty').forEach((one) => one.remove());
	return body.innerHTML;
}

/** Return the markup of what was written or pasted, without what is not kept; '' where there is no text. */
export function cleanMarkup(html: string): string {
	const body = parse(html);
	if (body.textContent?.trim() === '') {
		return '';
	}
	const out = document.implementation.createHTMLDocument('').body;
	copyChildren(body, out);
	return out.innerHTML;
}

function copyChildren(from: Node, to: Element): void {
	for (const node of from.childNodes) {
		if (node.nodeType === Node.TEXT_NODE) {
			to.append(node.textContent ?? '');
		} else if (node instanceof Element) {
			copyElement(node, to);
		}
	}
}

function copyElement(element: Element, to: Element): void {
	const name = ELEMENTS[element.localName];
	const href = element.getAttribute('href') ?? '';
	if (['style', 'script', 'title', 'template'].includes(element.localName)) {
		return;
	}
	// A part of a page that only holds paragraphs is none itself.
	const isHolder = element.localName === 'div' && [...element.children].some((one) => BLOCKS.has(one.localName));
	if (name === undefined || isHolder || (name === 'a' && !ADDRESS.test(href))) {
		copyChildren(element, to);
		return;
	}
	const copy = to.ownerDocument.createElement(name);
	if (name === 'a') {
		copy.setAttribute('href', href);
	}
	to.append(copy);
	copyChildren(element, copy);
}
