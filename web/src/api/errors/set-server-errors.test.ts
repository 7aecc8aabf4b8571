import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { i18n } from '@/i18n'
import de from '../../../public/locales/de/translation.json'
import { ApiError, parseErrorResponse } from './api-error'
import { errorMessage } from './error-message'
import { setServerErrors } from './set-server-errors'

beforeEach(async () => {
  i18n.addResourceBundle('de', 'translation', de)
  await i18n.changeLanguage('de')
})
afterEach(() => i18n.changeLanguage('en').then(() => undefined))

const answer = (error: object) => parseErrorResponse(422, '', JSON.stringify({ error }))

function placed(error: unknown) {
  const setError = vi.fn()
  const rest = setServerErrors(error, ['name', 'password', 'width'], setError)
  return { rest, told: Object.fromEntries(setError.mock.calls.map(([field, { message }]) => [field, message])) }
}

it('puts what the server has against a field into the reader’s language, with its numbers', () => {
  const error = answer({
    code: 'invalid_fields',
    message: 'Please use at most 1200 characters.',
    fields: { name: 'Please use at most 1200 characters.', password: 'Too easy.', width: 'From 4 to 8.5 inches.' },
    fieldCodes: {
      name: { code: 'too_long', values: { count: 1200 } },
      password: { code: 'easy_password' },
      width: { code: 'inches_between', values: { least: 4, most: 8.5 } },
    },
  })
  expect(placed(error)).toEqual({
    rest: undefined,
    told: {
      name: 'Verwenden Sie höchstens 1.200 Zeichen.',
      password: 'Dieses Passwort ist zu leicht zu erraten. Bitte wählen Sie ein anderes.',
      width: 'Das Maß muss zwischen 4 und 8,5 Zoll liegen.',
    },
  })
})

it('keeps the server’s words for a code that it does not know, and for none', () => {
  const fields = { name: 'This is odd.', password: 'This is, too.' }
  const fieldCodes = { name: { code: 'odd' } }
  expect(placed(answer({ code: 'invalid_fields', message: 'This is odd.', fields, fieldCodes })).told).toEqual(fields)
})

it('tells of a field that is not on the form for the form as a whole', () => {
  const fields = { token: 'This field is required.' }
  const fieldCodes = { token: { code: 'required' } }
  const error = answer({ code: 'invalid_fields', message: 'This field is required.', fields, fieldCodes })
  expect(placed(error)).toEqual({ rest: 'Diese Angabe fehlt.', told: {} })
  expect(errorMessage(error)).toBe('Diese Angabe fehlt.')
})

it('takes what a code says of the whole request before what it says of a field', () =>
  expect(errorMessage(new ApiError(409, 'email_taken', 'Taken.', { fields: { email: 'Taken.' } }))).toBe(
    de.errors.code.email_taken,
  ))
