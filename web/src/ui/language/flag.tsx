import type { ReactNode } from 'react'

const rows = (...colors: string[]) =>
  colors.map((color, i) => (
    <rect key={color} y={(14 / colors.length) * i} width="20" height={14 / colors.length} fill={color} />
  ))
const columns = (...colors: string[]) =>
  colors.map((color, i) => (
    <rect key={color} x={(20 / colors.length) * i} width={20 / colors.length} height="14" fill={color} />
  ))
const star = (x: number, y: number, r: number) => {
  const points = Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? r * 0.38 : r
    const angle = (Math.PI / 5) * i - Math.PI / 2
    return `${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`
  })
  return <polygon key={`${x} ${y}`} points={points.join(' ')} fill="#ffde00" />
}
const bars = (x: number, y: number, angle: number) => (
  <g transform={`translate(${x} ${y}) rotate(${angle})`} fill="#111">
    <rect x="-1.6" y="-1.3" width="3.2" height="0.6" />
    <rect x="-1.6" y="-0.3" width="3.2" height="0.6" />
    <rect x="-1.6" y="0.7" width="3.2" height="0.6" />
  </g>
)

// drawn at 20 x 14, simplified to what can be seen at that size
const flags: Partial<Record<string, ReactNode>> = {
  gb: (
    <>
      <rect width="20" height="14" fill="#1f3b7c" />
      <path d="M0 0l20 14M20 0L0 14" stroke="#fff" strokeWidth="2.8" />
      <path d="M0 0l20 14M20 0L0 14" stroke="#cf142b" strokeWidth="1" />
      <path d="M10 0v14M0 7h20" stroke="#fff" strokeWidth="4.6" />
      <path d="M10 0v14M0 7h20" stroke="#cf142b" strokeWidth="2.6" />
    </>
  ),
  es: (
    <>
      <rect width="20" height="14" fill="#c60b1e" />
      <rect y="3.5" width="20" height="7" fill="#ffc400" />
      <rect x="5" y="5.2" width="2.6" height="3.6" rx="0.8" fill="#ad1519" />
    </>
  ),
  fr: columns('#1f3b8c', '#fff', '#e1232f'),
  de: rows('#111', '#dd1f26', '#ffce00'),
  jp: (
    <>
      <rect width="20" height="14" fill="#fff" />
      <circle cx="10" cy="7" r="4.2" fill="#bc002d" />
    </>
  ),
  cn: (
    <>
      <rect width="20" height="14" fill="#de2910" />
      {[star(4, 4.2, 2.4), star(8, 1.7, 0.9), star(9.6, 3.4, 0.9), star(9.6, 5.8, 0.9), star(8, 7.6, 0.9)]}
    </>
  ),
  it: columns('#008c45', '#fff', '#cd212a'),
  br: (
    <>
      <rect width="20" height="14" fill="#009c3b" />
      <path d="M10 1.6L18.2 7 10 12.4 1.8 7z" fill="#ffdf00" />
      <circle cx="10" cy="7" r="2.9" fill="#002776" />
    </>
  ),
  ru: rows('#fff', '#0b4ea2', '#d52b1e'),
  kr: (
    <>
      <rect width="20" height="14" fill="#fff" />
      <circle cx="10" cy="7" r="3.2" fill="#0f4c9c" />
      <path d="M6.8 7a3.2 3.2 0 0 1 6.4 0 1.6 1.6 0 0 1-3.2 0 1.6 1.6 0 0 0-3.2 0z" fill="#cd2e3a" />
      {bars(4, 3, -56)}
      {bars(16, 3, 56)}
      {bars(4, 11, 56)}
      {bars(16, 11, -56)}
    </>
  ),
  ae: (
    <>
      {rows('#00843d', '#fff', '#111')}
      <rect width="5.4" height="14" fill="#c8102e" />
    </>
  ),
  in: (
    <>
      {rows('#ff9933', '#fff', '#128807')}
      <circle cx="10" cy="7" r="1.7" fill="none" stroke="#0b2a8a" strokeWidth="0.7" />
    </>
  ),
}

/** The flag of a country, or a plain gray field for one that is not drawn here. */
export function FlagIcon({ flag }: { flag: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 20 14"
      data-flag={flag}
      className="!h-3.5 !w-5 shrink-0 rounded-[2px] ring-1 ring-ink/15"
    >
      {flags[flag] ?? <rect width="20" height="14" fill="#b8b2a8" />}
    </svg>
  )
}
