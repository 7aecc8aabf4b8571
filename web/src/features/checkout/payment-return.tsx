import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { log } from '@/lib/log'
import { toast } from '@/ui/toast-store'
import { type Outcome, withoutReturn } from './returned'
import { settled } from './settle'
import { welcome } from './welcome'

/** For a reader who comes back from a payment page: asks the server how things are, and tidies the address. */
export default function PaymentReturn({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation()
  const { history } = useRouter()
  const queries = useQueryClient()
  const seen = useRef(false)
  useEffect(() => {
    if (seen.current) return
    seen.current = true
    const finish = async () => {
      try {
        if (outcome === 'failed') {
          toast({ title: t('checkout.notPaid.title'), description: t('checkout.notPaid.body'), variant: 'destructive' })
        } else {
          const isPro = await settled()
          if (isPro || outcome !== 'unknown') await welcome(queries, isPro)
        }
      } catch (error) {
        log('The subscription could not be synced', error)
      }
      const { href } = history.location
      const tidy = withoutReturn(href)
      if (tidy !== href) history.replace(tidy)
    }
    void finish()
  }, [history, outcome, queries, t])
  return null
}
