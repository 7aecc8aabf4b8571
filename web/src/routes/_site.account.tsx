import { createFileRoute } from '@tanstack/react-router'
import { Account } from '@/features/account/account'
import { Billing } from '@/features/account/billing/billing'
import { chooseLanguage } from '@/features/shell/language-switch'

export const Route = createFileRoute('/_site/account')({
  staticData: { title: 'account.page' },
  component: () => <Account plan={<Billing />} onLanguage={(language) => void chooseLanguage(language)} />,
})
