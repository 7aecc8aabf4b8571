import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { useOnline } from '@/lib/hooks/use-online'
import { Button } from '@/ui/button'
import { ErrorState } from '@/ui/states'

/** A page that could not be loaded or broke while it was shown. */
export function PageError({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const online = useOnline()
  const { reset } = useQueryErrorResetBoundary()
  useEffect(() => reset(), [reset])
  const unreachable = !online || (error instanceof ApiError && error.status === 0)
  return (
    <ErrorState
      className="py-28"
      title={t(unreachable ? 'errors.unreachable.title' : 'errors.page.title')}
      body={t(unreachable ? 'errors.unreachable.body' : 'errors.page.body')}
      detail={error instanceof Error ? error.stack : String(error)}
      action={
        <Button onClick={() => void router.invalidate()}>
          <RotateCcw />
          {t('errors.retry')}
        </Button>
      }
    />
  )
}
