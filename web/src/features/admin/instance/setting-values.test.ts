import { describe, expect, it } from 'vitest'
import {
  changedSettings,
  initialValues,
  isShown,
  lockingVariable,
  type Values,
  validateSettings,
} from './setting-values'
import { settingsFromSchema } from './settings-schema'

const secret = { anyOf: [{ type: 'string', writeOnly: true, format: 'password' }, { type: 'null' }], default: null }
const settings = settingsFromSchema({
  schema: {
    type: 'object',
    required: ['bucket'],
    properties: {
      bucket: { type: 'string', minLength: 3, maxLength: 8, pattern: '^[a-z]+$', title: 'Bucket' },
      address: { type: 'string', 'x-destination': true, default: 'https://a.example' },
      key: secret,
      mode: { enum: ['plain', 'signed'], default: 'plain' },
      minutes: { type: 'integer', minimum: 1, exclusiveMaximum: 60, default: 15, 'x-show-when': { mode: 'signed' } },
      share: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null },
      public: { type: 'boolean', default: false },
      folders: { type: 'array', items: { type: 'string', pattern: '^/' }, maxItems: 2, default: [] },
    },
  },
})
const saved = {
  settings: { bucket: 'covers', address: 'https://a.example', mode: 'plain', public: true, folders: ['/a'] },
  secrets: { key: { set: true, hint: '…4f2a', source: 'stored', updatedAt: null } },
  sources: { bucket: 'stored', address: 'file', mode: 'stored', public: 'CLOUD_PUBLIC' },
}
const initial = initialValues(settings, saved)
const changes = (values: Values) => changedSettings(settings, { ...initial, ...values }, initial, saved)
const problems = (values: Values) => validateSettings(settings, { ...initial, ...values }, initial, saved)
const setting = (name: string) => settings.find((one) => one.name === name) ?? expect.fail(`no ${name}`)

describe('the settings of a provider', () => {
  it('are read from its schema, in the order of the form', () => {
    expect(settings.map(({ name, shape }) => `${name} ${shape}`)).toEqual([
      'bucket text',
      'address text',
      'key secret',
      'mode choice',
      'minutes integer',
      'share number',
      'public boolean',
      'folders list',
    ])
    expect(setting('bucket')).toMatchObject({ title: 'Bucket', required: true, minLength: 3 })
    expect(setting('share')).toMatchObject({ title: 'share', required: false, nullable: true })
  })

  it('start as they are saved, and secrets never', () => {
    expect(initial).toEqual({
      bucket: 'covers',
      address: 'https://a.example',
      key: { mode: 'keep', text: '' },
      mode: 'plain',
      minutes: '15',
      share: '',
      public: true,
      folders: '/a',
    })
  })

  it('show only while others have the value they wait for', () => {
    expect(isShown(setting('minutes'), settings, initial)).toBe(false)
    expect(isShown(setting('minutes'), settings, { ...initial, mode: 'signed' })).toBe(true)
  })

  it('are locked by the variable of the environment they come from', () => {
    expect(lockingVariable(setting('public'), saved)).toBe('CLOUD_PUBLIC')
    expect(lockingVariable(setting('address'), saved)).toBeUndefined()
    expect(lockingVariable(setting('key'), saved)).toBeUndefined()
  })
})

describe('what is sent', () => {
  it('is nothing while nothing was changed', () => expect(changes({})).toEqual({}))

  it('is what was changed, as what it is', () =>
    expect(changes({ bucket: 'prints', share: ' 0.5 ', folders: '/a\n\n /b ', mode: 'signed', minutes: '20' })).toEqual(
      {
        bucket: 'prints',
        share: 0.5,
        folders: ['/a', '/b'],
        mode: 'signed',
        minutes: 20,
      },
    ))

  it('puts back to its default what was emptied', () => {
    const values = { ...initial, share: '1' }
    expect(changedSettings(settings, { ...values, share: '' }, values, saved)).toEqual({ share: null })
    expect(changes({ address: '' })).toEqual({ address: null })
  })

  it.each([
    ['keep', {}],
    ['replace', { key: 'sesame' }],
    ['clear', { key: null }],
  ] as const)('of a secret that is to %s', (mode, sent) =>
    expect(changes({ key: { mode, text: mode === 'replace' ? 'sesame' : '' } })).toEqual(sent),
  )

  it('has nothing that is hidden or locked', () => expect(changes({ minutes: '20', public: false })).toEqual({}))

  it('is a text of many lines without the line ends after it', () => {
    const properties = { document: { type: 'string', 'x-multiline': true } }
    const [document] = settingsFromSchema({ schema: { type: 'object', required: ['document'], properties } })
    if (!document) return expect.fail('no document')
    expect(document.multiline).toBe(true)
    const sent = changedSettings([document], { document: '{\n  "1": {}\n}\n' }, { document: '' }, undefined)
    expect(sent).toEqual({ document: '{\n  "1": {}\n}' })
  })

  it('of a new instance has only what differs from the defaults', () => {
    const fresh = initialValues(settings, undefined)
    expect(changedSettings(settings, { ...fresh, bucket: 'covers' }, fresh, undefined)).toEqual({ bucket: 'covers' })
  })
})

describe('what is wrong', () => {
  it.each([
    [{ bucket: '' }, { bucket: { key: 'required' } }],
    [{ bucket: 'ab' }, { bucket: { key: 'short', limit: 3 } }],
    [{ bucket: 'abcdefghi' }, { bucket: { key: 'long', limit: 8 } }],
    [{ bucket: 'a b c' }, { bucket: { key: 'pattern' } }],
    [{ mode: 'signed', minutes: '0' }, { minutes: { key: 'least', limit: 1 } }],
    [{ mode: 'signed', minutes: '60' }, { minutes: { key: 'below', limit: 60 } }],
    [{ mode: 'signed', minutes: '1.5' }, { minutes: { key: 'integer' } }],
    [{ share: 'half' }, { share: { key: 'number' } }],
    [{ folders: '/a\nb' }, { folders: { key: 'entry', entry: 'b' } }],
    [{ folders: '/a\n/b\n/c' }, { folders: { key: 'many', limit: 2 } }],
  ])('%j', (values, found) => expect(problems(values as unknown as Values)).toEqual(found))

  it('is found in all settings at once', () =>
    expect(Object.keys(problems({ bucket: '', share: 'half', folders: 'b' }))).toEqual(['bucket', 'share', 'folders']))

  it('is nothing in what is hidden', () => expect(problems({ minutes: 'soon' })).toEqual({}))

  it('is a kept secret once the address it is sent to has changed', () => {
    expect(problems({ address: 'https://b.example' })).toEqual({ key: { key: 'again' } })
    const key = { mode: 'replace', text: 'sesame' } as const
    expect(problems({ address: 'https://b.example', key })).toEqual({})
    expect(problems({ address: 'https://b.example', key: { mode: 'clear', text: '' } })).toEqual({})
  })
})
