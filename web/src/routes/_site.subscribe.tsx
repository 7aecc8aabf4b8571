import { createFileRoute } from '@tanstack/react-router'
import { Subscribe } from '@/features/checkout/subscribe'
import { PlanCards } from '@/features/plans/plan-cards'

export const Route = createFileRoute('/_site/subscribe')({
  staticData: { title: 'checkout.page' },
  component: () => <Subscribe plans={<PlanCards />} />,
})
