/** How much of a file has gone, from 0 to 1. */
export function UploadProgress({ part, label }: { part: number; label: string }) {
  const percent = Math.round(part * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="mt-3 h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <div className="h-full rounded-full bg-accent transition-[width] duration-150" style={{ width: `${percent}%` }} />
    </div>
  )
}
