import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PersonOut } from '@/api/generated'
import { useFormat } from '@/i18n/format'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/form/field'
import { useChangeUser } from '../mutations'
import { endOfDay, tomorrow } from './gift-day'

/** Until when Pro is given: for good, or to the end of a day. */
export function GiftEnd({ person }: { person: PersonOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const change = useChangeUser(person)
  const kept = person.proUntil?.slice(0, 10) ?? ''
  const [day, setDay] = useState(kept)
  const [first] = useState(tomorrow)
  const fits = day === '' || day >= first
  return (
    <form
      className="mt-4 flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ isPro: true, proUntil: day ? endOfDay(day) : null })
      }}
    >
      <Field label={t('admin.person.giftUntil')} className="w-44">
        {(aria) => (
          <Input
            {...aria}
            type="date"
            dir="ltr"
            min={first}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        )}
      </Field>
      <Button variant="outline" type="submit" pending={change.isPending} disabled={day === kept || !fits}>
        {t('admin.person.giftSave')}
      </Button>
      <p className="w-full text-note text-ink-2">
        {person.proUntil
          ? t('admin.person.giftEnds', { date: format.longDate(person.proUntil) })
          : t('admin.person.giftForGood')}
      </p>
    </form>
  )
}
