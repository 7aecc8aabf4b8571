import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The sections of the home screen that can be linked to. */
export type SectionId = 'generate' | 'gallery' | 'themes' | 'pricing'

/** A link to a section of the home screen: a plain jump while one is there, so that a half-filled form survives. */
export function SectionLink({ id, className, children }: { id: SectionId; className: string; children: ReactNode }) {
  const { pathname } = useLocation()
  if (pathname === '/' || pathname === '/gallery') {
    return (
      <a href={`#${id}`} className={className}>
        {children}
      </a>
    )
  }
  return (
    <Link to="/" hash={id} className={className}>
      {children}
    </Link>
  )
}
