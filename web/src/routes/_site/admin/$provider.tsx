import { createFileRoute, getRouteApi } from '@tanstack/react-router'
import { PaymentPage } from '@/features/admin/payments/payment-page'
import { overviewQuery, productsQuery } from '@/features/admin/payments/queries'
import { NotFound } from '@/features/shell/components/not-found'
import { warmPage } from './-warm-page'

export const Route = createFileRoute('/_site/admin/$provider')({
  staticData: { title: 'admin.payment.title' },
  loader: ({ params: { provider }, ...loading }) =>
    warmPage(loading, (client) => [
      client.ensureQueryData(productsQuery(provider)),
      client.ensureQueryData(overviewQuery()),
    ]),
  component: Page,
})

const route = getRouteApi('/_site/admin/$provider')

function Page() {
  const { provider } = route.useParams()
  return <PaymentPage key={provider} provider={provider} notFound={<NotFound />} />
}
