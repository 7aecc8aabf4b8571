import { Play } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@/i18n/languages'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminPage } from '../../layout/admin-page'
import { LanguageChoice } from '../language-choice'
import { QuickLinks } from '../quick-links'
import { TestResults } from './test-results'
import { useTestRun } from './use-test-run'

type Props = { language: Language; onLanguage: (language: Language) => void }

/** Asks this site for what search engines ask for, and judges the answers. */
export function SeoTestPage({ language, onLanguage }: Props) {
  const { t } = useTranslation()
  const [tab, setTab] = useState<'results' | 'links'>('results')
  const { answers, running, run } = useTestRun(language)
  function start() {
    setTab('results')
    run()
  }
  return (
    <AdminPage title={t('admin.seoTest.title')} lead={t('admin.seoTest.lead')}>
      <div className="mb-6 flex flex-wrap items-end gap-4">
        <LanguageChoice value={language} onChange={onLanguage} />
        <Button className="h-11" pending={running} pendingLabel={t('admin.seoTest.running')} onClick={start}>
          <Play aria-hidden className="rtl:-scale-x-100" />
          {t('admin.seoTest.run')}
        </Button>
      </div>
      <Tabs
        label={t('admin.seoTest.title')}
        value={tab}
        tabs={[
          { value: 'results', label: t('admin.seoTest.results') },
          { value: 'links', label: t('admin.seoTest.links') },
        ]}
        onChange={setTab}
      >
        {tab === 'links' ? (
          <QuickLinks language={language} />
        ) : answers ? (
          <TestResults answers={answers} language={language} running={running} />
        ) : (
          <EmptyState title={t('admin.seoTest.empty.title')} body={t('admin.seoTest.empty.body')} />
        )}
      </Tabs>
    </AdminPage>
  )
}
