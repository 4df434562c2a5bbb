import { useRef } from 'react';

interface Props {
	label: string;
	onFiles: (files: File[]) => void;
	accept?: string;
	multiple?: boolean;
	className?: string;
}

/** A button that asks for files of the person's machine. */
export function FileButton({ label, onFiles, accept, multiple = false, className = 'button' }: Props) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<>
			<button type="button" className={className} onClick={() => input.current?.click()}>
				{label}
			</button>
			<input
				ref={input}
				type="file"
				hidden
				aria-label={label}
				multiple={multiple}
				accept={accept}
				onChange={(event) => {
					const files = [...(event.target.files ?? [])];
					// The same file can be chosen again.
					event.target.value = '';
					if (files.length) {
						onFiles(files);
					}
				}}
			/>
		</>
	);
}
