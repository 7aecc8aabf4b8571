import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryError } from '@/ui/query/query-error'
import { Spinner } from '@/ui/states'
import { useMakeBook } from '../api/mutations'

/** Makes a book of a cover, or finds the one that is there, and goes to it. */
export function MakeBook({ coverId }: { coverId: number }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mutateAsync, error, isPending } = useMakeBook()
  const make = async () => {
    const book = await mutateAsync(coverId)
    await navigate({ to: '/book/$id', params: { id: String(book.id) }, replace: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each cover; asked twice it is the same book
  useEffect(() => {
    void make().catch(() => undefined)
  }, [coverId])
  if (!error) return <Spinner className="min-h-40" />
  const query = { error, isFetching: isPending, refetch: () => make().catch(() => undefined) }
  return <QueryError title={t('books.makeFailed')} query={query} className="py-28" />
}
