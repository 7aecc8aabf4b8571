import type { RefObject } from 'react'

type Props = {
  ref: RefObject<HTMLInputElement | null>
  label: string
  accept: string
  multiple?: boolean
  onFiles: (files: File[]) => void
}

/** The browser's file dialog behind a button of ours, which opens it by `ref`. The same file can be chosen twice. */
export function FileInput({ ref, label, accept, multiple, onFiles }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      multiple={multiple}
      tabIndex={-1}
      aria-label={label}
      className="sr-only"
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  )
}
