import { useTranslation } from 'react-i18next'
import { errorMessage } from '@/api/errors/error-message'
import { Button } from '@/ui/button'

type Pages = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: Error | null
  fetchNextPage: () => unknown
}

/** The button below a list that goes on. */
export function LoadMore({ pages }: { pages: Pages }) {
  const { t } = useTranslation()
  if (!pages.hasNextPage) return null
  return (
    <div className="mt-6 grid justify-items-center gap-3">
      {pages.isFetchNextPageError && (
        <p role="alert" className="text-sm text-danger">
          {errorMessage(pages.error)}
        </p>
      )}
      <Button variant="outline" pending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {t(pages.isFetchNextPageError ? 'errors.retry' : 'admin.more')}
      </Button>
    </div>
  )
}
