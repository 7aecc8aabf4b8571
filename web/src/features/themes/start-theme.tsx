import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CoverOut, ThemeOut } from '@/api/generated'
import { Button } from '@/ui/button'
import { CoverPicture } from '@/ui/cover-picture'
import { Dialog, DialogContent, DialogFooter } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useThemeFromCover } from './changes'

const NAME_LENGTH = 100

type Props = { cover: CoverOut; onClose: () => void; onMade?: (theme: ThemeOut) => void }

/** Asks for the name of a theme that carries on with the look of a cover. */
export default function StartTheme({ cover, onClose, onMade }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(cover.title)
  const [missing, setMissing] = useState(false)
  const make = useThemeFromCover()

  function submit(event: FormEvent) {
    event.preventDefault()
    const themeName = name.trim()
    setMissing(!themeName)
    if (!themeName) return
    make.mutate(
      { coverId: cover.id, themeName },
      {
        onSuccess: (theme) => {
          onClose()
          onMade?.(theme)
        },
      },
    )
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('themes.start.title')} description={t('themes.start.body')}>
        <form noValidate onSubmit={submit}>
          <div className="flex items-start gap-5">
            <CoverPicture
              src={cover.thumbnailUrl}
              alt={t('themes.start.cover', { title: cover.title || t('themes.start.untitled') })}
              width={cover.width}
              height={cover.height}
              tint={cover.tint}
              placeholder={cover.placeholder}
              className="w-20 shrink-0"
            />
            <Field
              label={t('themes.start.name')}
              error={missing ? t('themes.form.nameMissing') : undefined}
              className="min-w-0 flex-1"
            >
              {(aria) => (
                <Input
                  autoComplete="off"
                  maxLength={NAME_LENGTH}
                  {...aria}
                  value={name}
                  onChange={(event) => {
                    setName(event.target.value)
                    setMissing(false)
                  }}
                />
              )}
            </Field>
          </div>
          <DialogFooter>
            <Button variant="outline" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" pending={make.isPending}>
              {t('themes.start.create')}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}
