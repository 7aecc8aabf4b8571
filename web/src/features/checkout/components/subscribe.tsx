import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserOut } from '@/api/generated'
import { userQuery } from '@/api/queries/site'
import { toast } from '@/ui/overlay/toast-store'
import { usePaymentDocument } from '@/ui/payment/use-payment-document'
import { Spinner } from '@/ui/states'
import { Checkout } from './checkout'

type Props = { plans: ReactNode }

/** The upgrade page: what the plans give, and where to pay. */
export function Subscribe({ plans }: Props) {
  const { data: user } = useSuspenseQuery(userQuery())
  // as of when the page was opened: a user who pays here becomes one who could not buy
  const [buyer] = useState(user?.isPro ? null : user)
  if (!buyer) return <SentAway to={user ? '/gallery' : '/'} />
  return <Offer buyer={buyer} plans={plans} />
}

function Offer({ buyer, plans }: { buyer: UserOut; plans: ReactNode }) {
  const { t } = useTranslation()
  if (!usePaymentDocument()) return <Spinner className="min-h-page-fill" />
  return (
    <div className="mx-auto w-full max-w-[80rem] px-4 py-10 md:px-8 md:py-16">
      <h1 className="display text-4xl md:text-5xl">{t('checkout.title')}</h1>
      <p className="mt-3 max-w-lead text-ink-2">{t('checkout.lead')}</p>
      <div className="mt-10 grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <section aria-labelledby="plans" className="min-w-0 max-lg:order-2">
          <h2 id="plans" className="sr-only">
            {t('checkout.plans')}
          </h2>
          {plans}
        </section>
        <Checkout user={buyer} />
      </div>
    </div>
  )
}

/** Says why nothing can be bought, and goes where there is something to do instead. */
function SentAway({ to }: { to: '/' | '/gallery' }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const told = useRef(false)
  useEffect(() => {
    if (told.current) return
    told.current = true
    const words = to === '/' ? 'signIn' : 'already'
    toast({
      title: t(`checkout.${words}.title`),
      description: t(`checkout.${words}.body`),
      variant: to === '/' ? 'destructive' : 'default',
    })
    void navigate({ to, replace: true })
  }, [navigate, t, to])
  return <Spinner className="min-h-page-fill" />
}
