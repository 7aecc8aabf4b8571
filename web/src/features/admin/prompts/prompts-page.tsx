import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/ui/states'
import { Tabs } from '@/ui/tabs'
import { AdminPage } from '../admin-page'
import { Unread } from '../unread'
import { GENERATORS, type Generator, type PromptKey } from './draft'
import { PromptForm } from './prompt-form'
import { promptQuery } from './queries'

type Props = { generator: Generator; onGenerator: (generator: Generator) => void }

/** What image services are told: one tab for each of the two generators. */
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
        <p className="mb-6 max-w-[65ch] text-sm leading-relaxed text-ink-2">{t(`admin.prompts.${generator}.lead`)}</p>
        <Prompt key={generator} generator={generator} />
      </Tabs>
    </AdminPage>
  )
}

function Prompt({ generator }: { generator: Generator }) {
  const key: PromptKey = `${generator}_prompt`
  const setting = useQuery(promptQuery(key))
  if (setting.data) return <PromptForm generator={generator} setting={setting.data} />
  if (setting.isError) return <Unread query={setting} />
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      <Skeleton className="h-[36rem] rounded-lg" />
      <Skeleton className="h-80 rounded-lg" />
    </div>
  )
}
