import type { Motif as Name } from './genre-style'

const drawings: Record<Name, React.ReactNode> = {
  peaks: (
    <>
      <circle cx="138" cy="152" r="17" fill="var(--accent-foil)" />
      <path d="M0 262 52 188l26 34 34-56 48 70 18-22 22 30v82H0Z" fill="currentColor" opacity=".13" />
      <path d="M0 282 38 236l30 28 44-46 38 40 26-20 24 22v66H0Z" fill="currentColor" opacity=".16" />
    </>
  ),
  orbit: (
    <>
      <circle cx="118" cy="196" r="44" fill="var(--accent-foil)" />
      <ellipse cx="118" cy="196" rx="82" ry="17" fill="none" stroke="currentColor" transform="rotate(-18 118 196)" />
      <g fill="currentColor">
        <circle cx="34" cy="150" r="1.2" />
        <circle cx="170" cy="132" r="1.4" />
        <circle cx="52" cy="236" r="1" />
        <circle cx="182" cy="246" r="1.2" />
        <circle cx="24" cy="206" r=".9" />
      </g>
    </>
  ),
  contours: (
    <g fill="none" stroke="currentColor" strokeWidth="1.1">
      {[0, 1, 2, 3, 4, 5].map((line) => (
        <path
          key={line}
          opacity={0.3 + line * 0.11}
          d={`M0 ${176 + line * 17}c34 ${-22 + line * 3} 58 ${18 - line * 2} 96 0s66 ${-26 + line * 4} 104 ${-6 + line}`}
        />
      ))}
      <circle cx="144" cy="146" r="13" fill="var(--accent-foil)" stroke="none" />
    </g>
  ),
  rings: (
    <>
      <circle cx="80" cy="192" r="42" fill="var(--accent-foil)" opacity=".9" />
      <circle cx="124" cy="192" r="42" fill="none" stroke="currentColor" strokeWidth="1.4" />
    </>
  ),
  slash: (
    <>
      <path d="M0 248 200 158v26L0 274Z" fill="var(--accent-foil)" />
      <path d="M0 288 200 198" stroke="currentColor" opacity=".4" />
    </>
  ),
  beam: (
    <>
      <path d="M52 300 94 150l12 0 58 150Z" fill="var(--accent-foil)" opacity=".26" />
      <circle cx="100" cy="148" r="9" fill="var(--accent-foil)" />
    </>
  ),
  rule: <path d="M20 210h160" stroke="var(--accent-foil)" strokeWidth="1.2" />,
}

/** A drawing behind the words of the preview, in the colors of the book. */
export function GenreMotif({ name }: { name: Name }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 200 300"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
    >
      {drawings[name]}
    </svg>
  )
}
