import { createFileRoute } from '@tanstack/react-router'
import {
  getCapabilitiesOptions,
  getSecondFactorsOptions,
  listSessionsOptions,
  listSignInMethodsOptions,
  listSignInsOptions,
} from '@/api/generated/@tanstack/react-query.gen'
import { userQuery } from '@/api/queries/site'
import { warm } from '@/api/queries/warm'
import { Account } from '@/features/account/account'
import { Billing, billingQuery, useBillingPending } from '@/features/account/billing/billing'
import { chooseLanguage } from '@/features/shell/header/language-switch'

export const Route = createFileRoute('/_site/account')({
  staticData: { title: 'account.page' },
  loader: async ({ context: { queryClient }, cause }) => {
    if (!(await queryClient.ensureQueryData(userQuery()))) return
    await warm(cause, [
      queryClient.ensureQueryData(billingQuery()),
      queryClient.ensureQueryData(getSecondFactorsOptions()),
      queryClient.ensureQueryData(listSessionsOptions()),
      queryClient.ensureQueryData(listSignInMethodsOptions()),
      queryClient.ensureQueryData(listSignInsOptions()),
      queryClient.ensureQueryData(getCapabilitiesOptions()),
    ])
  },
  component: Page,
})

function Page() {
  const pending = useBillingPending()
  return <Account plan={<Billing />} pending={pending} onLanguage={(language) => void chooseLanguage(language)} />
}
