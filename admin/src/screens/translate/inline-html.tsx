/** Inline markup of a text: shown without anything that acts, and edited without what could. */
import { createElement, type ReactNode } from 'react';

/** Tags that are shown as what they are; of others the text is. */
const SHOWN = new Set(
	'abbr b bdi bdo br cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var'.split(' '),
);

/** Return markup as what a person reads; links are marked and lead nowhere. */
export function showInline(html: string): ReactNode {
	const { body } = new DOMParser().parseFromString(html, 'text/html');
	return [...body.childNodes].map(showNode);
}

/** Return a text as markup that shows it. */
export function escapeText(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

function showNode(node: Node, key: number): ReactNode {
	if (node.nodeType === Node.TEXT_NODE) {
		return node.textContent;
	}
	if (!(node instanceof Element)) {
		return null;
	}
	const name = node.localName;
	if (name === 'br') {
		return <br key={key} />;
	}
	const children = [...node.childNodes].map(showNode);
	return name === 'a' ? (
		<span key={key} className="shown-link" title={node.getAttribute('href') ?? undefined}>
			{children}
		</span>
	) : SHOWN.has(name) ? (
		createElement(name, { key }, ...children)
	) : (
		<span key={key}>{children}</span>
	);
}

/** Return markup without handlers and without addresses that are programs. */
export function cleanInline(html: string): string {
	const { body } = new DOMParser().parseFromString(html, 'text/html');
	for (const element of body.querySelectorAll('*')) {
		if (['script', 'style', 'iframe', 'object', 'embed', 'form', 'svg', 'math'].includes(element.localName)) {
			element.remove();
			continue;
		}
		for (const { name, value } of [...element.attributes]) {
			if (name.startsWith('on') || (['href', 'src'].includes(name) && /^\s*(javascript|data|vbscript):/i.test(value))) {
				element.removeAttribute(name);
			}
		}
	}
	return body.innerHTML;
}
