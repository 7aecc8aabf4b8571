import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { PaymentPage } from '@/features/admin/payments/payment-page'
import { NotFound } from '@/features/shell/not-found'

export const Route = createFileRoute('/_site/admin/$provider')({
  staticData: { title: 'admin.payment.title' },
  component: Page,
})

const route = getRouteApi('/_site/admin/$provider')

function Page() {
  const { provider } = route.useParams()
  return <PaymentPage key={provider} provider={provider} notFound={<NotFound />} />
}
