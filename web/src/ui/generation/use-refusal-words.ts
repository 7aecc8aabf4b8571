import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage } from '@/api/errors/error-message'

/** What to say where a change of a picture was not accepted. */
export function useRefusalWords() {
  const { t } = useTranslation()
  return (error: unknown): string => {
    switch (error instanceof ApiError ? error.code : '') {
      case 'version_conflict':
        return t('refine.conflict')
      case 'generation_limit_reached':
        return t('refine.limit')
      case 'unsupported':
        return t('generator.failed.code.unsupported')
      default:
        return errorMessage(error)
    }
  }
}
