import { Link } from '@tanstack/react-router'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SlideOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { useGenreName } from '@/lib/hooks/use-genre-name'
import { Button } from '@/ui/button'
import { Book } from '@/ui/cover/book'
import { Switch } from '@/ui/form/switch'
import { Tooltip } from '@/ui/overlay/tooltip'
import { StatusPill } from '@/ui/status-pill'
import { useSetSlideVisibility } from './mutations'

type Props = { slide: SlideOut; onEdit: () => void; onDelete: () => void }

/** One cover in its place: what it looks like, whether it is shown, and what can be done with it. */
export function SlideRow({ slide, onEdit, onDelete }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const genreName = useGenreName()
  const show = useSetSlideVisibility(slide)
  const { id, title, genre, thumbnailUrl, isActive, displayOrder, createdAt } = slide
  const edit = t('admin.carousel.edit.open', { title })
  const remove = t('admin.carousel.delete.open', { title })
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Book title={title} src={thumbnailUrl} alt="" className="w-16 shrink-0 sm:w-20" />
      <div className="min-w-36 flex-1">
        <p className="text-body font-medium break-words">
          <bdi>{title}</bdi>
        </p>
        <p className="mt-0.5 text-sm break-words text-ink-2">
          <bdi>{genreName(genre)}</bdi>
        </p>
        <p className="mt-1 text-xs text-ink-3">
          {t('admin.carousel.order', { number: format.number(displayOrder) })} · {format.date(createdAt)}
        </p>
      </div>
      <div className="flex items-center gap-3">
        <StatusPill tone={isActive ? 'ok' : 'quiet'}>
          {t(isActive ? 'admin.carousel.active' : 'admin.carousel.inactive')}
        </StatusPill>
        <Switch
          aria-label={t('admin.carousel.toggle', { title })}
          checked={isActive}
          onCheckedChange={(on) => show.mutate(on)}
        />
      </div>
      <div className="flex items-center gap-1">
        {isActive && (
          <Tooltip text={t('admin.carousel.see')}>
            <Button asChild variant="ghost" size="icon">
              <Link to="/examples/$id" params={{ id: String(id) }} aria-label={`${t('admin.carousel.see')}: ${title}`}>
                <Eye />
              </Link>
            </Button>
          </Tooltip>
        )}
        <Tooltip text={edit}>
          <Button variant="ghost" size="icon" aria-label={edit} onClick={onEdit}>
            <Pencil />
          </Button>
        </Tooltip>
        <Tooltip text={remove}>
          <Button variant="ghost" size="icon" aria-label={remove} onClick={onDelete}>
            <Trash2 />
          </Button>
        </Tooltip>
      </div>
    </div>
  )
}
