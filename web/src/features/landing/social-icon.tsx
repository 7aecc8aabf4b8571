import type { ReactNode } from 'react'

/** The networks, as they are called. */
export const socialNetworks = { x: 'X', instagram: 'Instagram', facebook: 'Facebook', youtube: 'YouTube' } as const

type Network = keyof typeof socialNetworks

// drawn at 20 x 20 with one stroke weight
const shapes: Record<Network, ReactNode> = {
  x: <path d="M3.5 3.5h3.2l9.8 13h-3.2zM16 3.5 11 9.2M4 16.5l5-5.7" />,
  instagram: (
    <>
      <rect x="3" y="3" width="14" height="14" rx="4" />
      <circle cx="10" cy="10" r="3.2" />
      <circle cx="14" cy="6" r="0.5" fill="currentColor" />
    </>
  ),
  facebook: <path d="M13.5 3.5h-1.7c-1.7 0-2.8 1.1-2.8 2.9v10.6M6.5 10h6.5" />,
  youtube: (
    <>
      <rect x="2" y="4.5" width="16" height="11" rx="3.5" />
      <path d="M8.5 7.8v4.4l3.6-2.2z" fill="currentColor" />
    </>
  ),
}

export function SocialIcon({ network }: { network: Network }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 20 20"
      className="size-5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {shapes[network]}
    </svg>
  )
}
