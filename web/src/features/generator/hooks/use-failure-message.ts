import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import type { Failure } from '../model/failure'

/** Puts a failure into a sentence of the reader's language; the server's own where we have none for its code. */
export function useFailureMessage(): (failure: Failure) => string {
  const { t, i18n } = useTranslation()
  const usual = useQuery(getCapabilitiesOptions()).data?.image.provider
  return ({ kind, code, sentence, provider = usual }) => {
    if (kind === 'timeout') return t('generator.failed.timeout')
    if (kind === 'site') return t('generator.failed.site')
    if (kind === 'unreachable') return t('errors.code.network')
    if (kind === 'busy') return provider ? t('generator.failed.busy', { provider }) : t('generator.failed.timeout')
    if (code && i18n.exists(`generator.failed.code.${code}`))
      return t(`generator.failed.code.${code}` as 'generator.failed.code.content_refused')
    if (code && i18n.exists(`errors.code.${code}`)) return t(`errors.code.${code}` as 'errors.code.network')
    return sentence ?? t('generator.failed.default')
  }
}
