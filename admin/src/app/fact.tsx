/** A term of a list of facts with its value; dots where that is not there yet. */
export function Fact({ name, value }: { name: string; value: string | undefined }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{value ?? '…'}</dd>
		</div>
	);
}
