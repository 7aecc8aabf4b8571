import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { EmptyState } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { Keywords } from './keywords'
import { LanguageChoice } from './language-choice'

export const SEO_TABS = ['keywords', 'content', 'analytics'] as const
export type SeoTab = (typeof SEO_TABS)[number]

type Props = {
  language: Language
  tab: SeoTab
  onLanguage: (language: Language) => void
  onTab: (tab: SeoTab) => void
}

/** What search engines are to find this site by, in each of its languages. */
export function SeoPage({ language, tab, onLanguage, onTab }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.seo.title')} lead={t('admin.seo.lead')}>
      <div className="mb-6">
        <LanguageChoice value={language} onChange={onLanguage} />
      </div>
      <Tabs
        label={t('admin.seo.title')}
        value={tab}
        tabs={SEO_TABS.map((value) => ({ value, label: t(`admin.seo.tab.${value}`) }))}
        onChange={onTab}
      >
        {tab === 'keywords' ? (
          <AdminQueryBoundary key={language}>
            <Keywords language={language} />
          </AdminQueryBoundary>
        ) : (
          <EmptyState title={t('admin.seo.soon.title')} body={t(`admin.seo.soon.${tab}`)} />
        )}
      </Tabs>
    </AdminPage>
  )
}
