import { BookOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'

/** Leads to the pages for plugin authors, which are no screens of the interface and are in English. */
export function PluginDocsLink() {
  const { t } = useTranslation()
  return (
    <Button asChild variant="outline">
      <a href="/docs" hrefLang="en">
        <BookOpen aria-hidden />
        {t('admin.plugins.write')}
      </a>
    </Button>
  )
}
