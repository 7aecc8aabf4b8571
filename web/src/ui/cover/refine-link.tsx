import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Wand } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { getCapabilitiesOptions } from '@/api/generated/@tanstack/react-query.gen'
import { Button } from '../button'
import { Tooltip } from '../overlay/tooltip'

type Props = { coverId: number; look: 'icon' | 'outline'; className?: string }

/** Leads to where the picture of a cover is changed with words; says why not, where no image service can do that. */
export function RefineLink({ coverId, look, className }: Props) {
  const { t } = useTranslation()
  const { data } = useQuery(getCapabilitiesOptions())
  const label = t('refine.action')
  const able = data === undefined || data.image.edits
  const button =
    look === 'icon'
      ? ({ variant: 'ghost', size: 'icon', 'aria-label': label, className } as const)
      : ({ variant: 'outline', className } as const)
  const content = (
    <>
      <Wand aria-hidden />
      {look === 'outline' && label}
    </>
  )
  if (able) {
    const link = (
      <Button asChild {...button}>
        <Link to="/cover/$id/refine" params={{ id: String(coverId) }}>
          {content}
        </Link>
      </Button>
    )
    return look === 'icon' ? <Tooltip text={label}>{link}</Tooltip> : link
  }
  // in reach of the keyboard, so that its reason is
  return (
    <Tooltip text={t('refine.unavailable')}>
      <Button {...button} aria-disabled aria-description={t('refine.unavailable')} className="aria-disabled:opacity-50">
        {content}
      </Button>
    </Tooltip>
  )
}
