import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminQueryBoundary } from '../components/admin-query-error'
import { AdminPage } from '../layout/admin-page'
import { GENERATORS, type Generator, type PromptKey } from './prompt-draft'
import { PromptForm } from './prompt-form'
import { promptQuery } from './queries'

type Props = { generator: Generator; onGenerator: (generator: Generator) => void }

/** The prompt templates: one tab for each of the two generators. */
export function PromptsPage({ generator, onGenerator }: Props) {
  const { t } = useTranslation()
  return (
    <AdminPage title={t('admin.prompts.title')} lead={t('admin.prompts.lead')}>
      <Tabs
        label={t('admin.prompts.tabs')}
        value={generator}
        tabs={GENERATORS.map((value) => ({ value, label: t(`admin.prompts.${value}.title`) }))}
        onChange={onGenerator}
      >
        <p className="mb-6 max-w-text text-sm leading-relaxed text-ink-2">{t(`admin.prompts.${generator}.lead`)}</p>
        <AdminQueryBoundary key={generator} skeleton={<PromptSkeleton />}>
          <Prompt generator={generator} />
        </AdminQueryBoundary>
      </Tabs>
    </AdminPage>
  )
}

function Prompt({ generator }: { generator: Generator }) {
  const key: PromptKey = `${generator}_prompt`
  const { data: setting } = useSuspenseQuery(promptQuery(key))
  return <PromptForm generator={generator} setting={setting} />
}

function PromptSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Skeleton className="h-[36rem] rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  )
}
