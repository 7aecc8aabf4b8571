import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { splitPath } from '@/i18n/languages'

/** The server lets only the documents of these pages run a vendor's script. */
const paying = new Set(['/subscribe', '/account'])
/** Kinds of clients that bring a script. */
const scripted: readonly (string | undefined)[] = ['elements', 'script']

/** Where the document that is shown was loaded; a move within the page does not change it. */
function loadedAt(): string | undefined {
  const [load] = performance.getEntriesByType?.('navigation') ?? []
  return load && splitPath(new URL(load.name).pathname).rest.replace(/\/$/, '')
}

/**
 * Whether a form of payment can be shown in this document. Where the vendor's script is needed, and the reader came
 * from a page that may not run it, the page is loaded anew.
 */
export function usePaymentDocument(): boolean {
  const [elsewhere] = useState(() => {
    const path = loadedAt()
    return path !== undefined && !paying.has(path)
  })
  const { data, isPending } = useQuery({ ...getCapabilitiesOptions(), enabled: elsewhere })
  const anew = elsewhere && scripted.includes(data?.payment.client)
  useEffect(() => {
    if (anew) window.location.reload()
  }, [anew])
  return !anew && !(elsewhere && isPending)
}
