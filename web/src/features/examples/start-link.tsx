import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '@/api/queries/site'
import { promptDraft } from '@/lib/tab-draft'
import { Button } from '@/ui/button'

/** Leads to the generator, through sign-in if need be; with a description, that waits there. */
export function StartLink({ draft, children }: { draft?: { prompt: string; genre: string }; children: ReactNode }) {
  const user = useUser()
  const keep = () => draft && promptDraft.save(draft)
  return (
    <Button asChild size="lg">
      {user ? (
        <Link to="/" onClick={keep}>
          {children}
        </Link>
      ) : (
        <a href="/api/login" onClick={keep}>
          {children}
        </a>
      )}
    </Button>
  )
}
