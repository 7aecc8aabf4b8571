import { useLayoutEffect, useRef } from 'react'

type Props = { label: string; checked: boolean; some?: boolean; onChange: () => void }

/** A box to choose a row by, or all rows; `some`: a part of these. A finger hits it beside its edge, too. */
export function SelectBox({ label, checked, some = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={onChange}
      className="relative block size-4 shrink-0 cursor-pointer accent-accent before:absolute before:-inset-3"
    />
  )
}
