import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Textarea } from '@/ui/field'
import { useChangeStyle } from './changes'

const STYLE_LENGTH = 1000

/** Changes the style prompt of a theme. */
export default function StyleDialog({ theme, onClose }: { theme: ThemeOut; onClose: () => void }) {
  const { t } = useTranslation()
  const [style, setStyle] = useState(theme.stylePrompt)
  const change = useChangeStyle(theme)
  const wanted = style.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (wanted) change.mutate(wanted, { onSuccess: onClose })
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.detail.editTitle')} description={t('themes.detail.editBody')}>
        <form noValidate onSubmit={submit}>
          <Field label={t('themes.detail.style')}>
            {(aria) => (
              <Textarea
                rows={6}
                maxLength={STYLE_LENGTH}
                {...aria}
                value={style}
                onChange={(event) => setStyle(event.target.value)}
              />
            )}
          </Field>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={change.isPending} disabled={!wanted || change.isPending}>
              {t('themes.detail.save')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
