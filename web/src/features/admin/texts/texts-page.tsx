import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { Skeleton } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { LanguageChoice } from '../seo/language-choice'
import { AddressForm } from './address-form'
import { textsQuery } from './queries'
import { TextForm } from './text-form'

export const TEXT_TABS = ['terms', 'privacy', 'contact', 'help', 'links'] as const
export type TextTab = (typeof TEXT_TABS)[number]

type Props = {
  language: Language
  tab: TextTab
  onLanguage: (language: Language) => void
  onTab: (tab: TextTab) => void
}

/** Terms, privacy, contact and help in every language, and what the footer leads to. */
export function TextsPage({ language, tab, onLanguage, onTab }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.texts.title')} lead={t('admin.texts.lead')}>
      <Tabs
        label={t('admin.texts.title')}
        value={tab}
        tabs={TEXT_TABS.map((value) => ({
          value,
          label: value === 'links' ? t('admin.texts.links') : t(`landing.footer.${value}`),
        }))}
        onChange={onTab}
      >
        {tab === 'links' ? (
          <AdminQueryBoundary skeleton={<Skeleton className="h-96 rounded-lg" />}>
            <AddressForm />
          </AdminQueryBoundary>
        ) : (
          <>
            <div className="mb-6">
              <LanguageChoice value={language} onChange={onLanguage} />
            </div>
            <AdminQueryBoundary key={`${tab} ${language}`} skeleton={<TextSkeleton />}>
              <Text page={tab} language={language} />
            </AdminQueryBoundary>
          </>
        )}
      </Tabs>
    </AdminPage>
  )
}

function Text({ page, language }: { page: Exclude<TextTab, 'links'>; language: Language }) {
  const { data: texts } = useSuspenseQuery(textsQuery(language))
  const saved = texts.find((text) => text.page === page)
  return saved && <TextForm saved={saved} language={language} />
}

function TextSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Skeleton className="h-[36rem] rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  )
}
