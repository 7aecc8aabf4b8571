import { createFileRoute } from '@tanstack/react-router'
import { Account } from '@/features/account/account'
import { chooseLanguage } from '@/features/shell/language-switch'

export const Route = createFileRoute('/_site/account')({
  staticData: { title: 'account.page' },
  component: () => <Account onLanguage={(language) => void chooseLanguage(language)} />,
})
