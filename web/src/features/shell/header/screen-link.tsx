import { Link, type LinkProps, useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'

type Props = Pick<LinkProps, 'activeProps'> &
  AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; children: ReactNode }

/** Whether the router has a screen at a path. */
export function useHasScreen(): (path: string) => boolean {
  const router = useRouter()
  return (path) => path in router.routesByPath
}

/** A link that is there only if its screen is. */
export function ScreenLink({ to, ...props }: Props) {
  const hasScreen = useHasScreen()
  if (!hasScreen(to)) return null
  // the path was just looked up in the router, which is what its type would have promised
  return <Link to={to as '/'} {...props} />
}
