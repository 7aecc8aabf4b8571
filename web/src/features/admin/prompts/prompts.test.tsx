import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refusal, reader, renderApp } from '@/test/render-app'
import { dismissToast } from '@/ui/overlay/toast-store'

const plain = { title: 'Untitled', author: '', genre: '', prompt: '', lettering: '' }
const standard = {
  settingKey: 'standard_prompt',
  promptTemplate: 'Draw {{prompt}}.',
  defaultValues: plain,
  showGenreCheckbox: false,
  textValue: null,
}
const themed = {
  ...standard,
  settingKey: 'theme_prompt',
  promptTemplate: '{{themeStylePrompt}}: {{prompt}}',
  defaultValues: { ...plain, title: '', themeStylePrompt: 'Woodcut', referenceImagePrompt: '' },
}
const STANDARD = '/api/admin/settings/standard_prompt'
const SAVE = `PUT ${STANDARD}`
const PREVIEW = `POST ${STANDARD}/preview`

type Saved = { promptTemplate: string | null; defaultValues?: object; showGenreCheckbox?: boolean }

afterEach(() => {
  act(dismissToast)
  // a preview that is still to be asked for would ask a real server
  cleanup()
  vi.unstubAllGlobals()
})

const page = (answers: Record<string, unknown> = {}, path = '/admin/prompt-engineer') =>
  renderApp(path, {
    'GET /api/auth/user': { ...reader, isAdmin: true },
    [`GET ${STANDARD}`]: standard,
    'GET /api/admin/settings/theme_prompt': themed,
    [SAVE]: (body: Saved) => ({ ...standard, ...body }),
    [PREVIEW]: { text: 'As it is rendered.' },
    'POST /api/admin/settings/theme_prompt/preview': { text: 'As a theme is.' },
    ...answers,
  })
const template = () => screen.findByRole('textbox', { name: 'Prompt template' })
const saveButton = () => screen.getByRole('button', { name: /^Save/ })
const labels = () => {
  const group = within(screen.getByRole('group', { name: 'Defaults' }))
  return group.getAllByRole('textbox').map((field) => (field as HTMLInputElement).labels?.[0]?.textContent)
}

describe('the prompts', () => {
  it('have a tab for each generator, with its template and its defaults; the address says which', async () => {
    const { router } = page()
    const tabs = within(await screen.findByRole('tablist', { name: 'Generators' }))
    expect(tabs.getByRole('tab', { name: 'Standard Generator' })).toHaveAttribute('aria-selected', 'true')
    expect(await template()).toHaveValue('Draw {{prompt}}.')
    expect(labels()).toEqual(['Title', 'Author', 'Genre', 'Description', 'Lettering'])
    expect(screen.getByLabelText('Title')).toHaveValue('Untitled')
    await userEvent.click(tabs.getByRole('tab', { name: 'Theme Generator' }))
    await waitFor(async () => expect(await template()).toHaveValue('{{themeStylePrompt}}: {{prompt}}'))
    expect(router.state.location.search).toEqual({ tab: 'theme' })
    expect(labels()).toEqual([
      'Title',
      'Author',
      'Genre',
      'Description',
      'Lettering',
      'Style of the theme',
      'About the reference images',
    ])
    expect(screen.getByLabelText('Style of the theme')).toHaveValue('Woodcut')
  })

  it('let the check box for the genre be shown or not, of the standard one only', async () => {
    const { requests } = page()
    await template()
    await userEvent.click(screen.getByRole('switch', { name: 'Offer the default genre' }))
    await userEvent.click(saveButton())
    await screen.findByRole('button', { name: 'Saved' })
    expect(requests).toContainEqual({
      call: SAVE,
      body: {
        settingKey: 'standard_prompt',
        promptTemplate: 'Draw {{prompt}}.',
        defaultValues: plain,
        showGenreCheckbox: true,
      },
    })
  })

  it('have no such switch for themes', async () => {
    page({}, '/admin/prompt-engineer?tab=theme')
    expect(await screen.findByText('As a theme is.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: 'Prompt template' })).toBeVisible()
    expect(screen.queryByRole('switch')).toBeNull()
  })

  it('say on the button whether all is saved', async () => {
    const { requests } = page()
    const editor = await template()
    expect(saveButton()).toHaveTextContent('Saved')
    expect(saveButton()).toBeDisabled()
    await userEvent.type(editor, ' Now.')
    expect(saveButton()).toHaveTextContent('Save Changes')
    await userEvent.clear(screen.getByLabelText('Title'))
    await userEvent.click(saveButton())
    await waitFor(() => expect(saveButton()).toHaveTextContent('Saved'))
    const [saved] = requests.filter(({ call }) => call === SAVE)
    expect(saved?.body).toMatchObject({ promptTemplate: 'Draw {{prompt}}. Now.', defaultValues: { title: '' } })
    expect(editor).toHaveValue('Draw {{prompt}}. Now.')
  })

  it('take a variable to where the cursor is, and a section around what is marked', async () => {
    page()
    const editor = (await template()) as HTMLTextAreaElement
    editor.setSelectionRange(0, 4)
    await userEvent.click(screen.getByRole('button', { name: /^Genre/ }))
    expect(editor).toHaveValue('{{genre}} {{prompt}}.')
    expect(editor).toHaveFocus()
    expect(editor.selectionStart).toBe('{{genre}}'.length)
    editor.setSelectionRange(0, 9)
    await userEvent.click(screen.getByRole('button', { name: /^Only with reference images/ }))
    expect(editor).toHaveValue('{{#hasReferenceImages}}{{genre}}{{/hasReferenceImages}} {{prompt}}.')
    expect(editor.value.slice(editor.selectionStart, editor.selectionEnd)).toBe('{{genre}}')
    expect(saveButton()).toHaveTextContent('Save Changes')
    const names = within(screen.getByRole('group', { name: 'Variables' })).getAllByRole('button')
    expect(names.map((chip) => chip.querySelector('code')?.textContent)).toEqual([
      '{{title}}',
      '{{author}}',
      '{{genre}}',
      '{{prompt}}',
      '{{lettering}}',
      '{{themeStylePrompt}}',
      '{{referenceImagePrompt}}',
      '{{subtitle}}',
      '{{series}}',
      '{{number}}',
      '{{tagline}}',
      '{{#hasReferenceImages}}',
    ])
  })

  it('keep what is typed while they are saved', async () => {
    let answer = (_: unknown) => {}
    page({ [SAVE]: () => new Promise((resolve) => (answer = resolve)) })
    const editor = await template()
    await userEvent.type(editor, ' Now.')
    await userEvent.type(screen.getByLabelText('Author'), 'Anon')
    await userEvent.click(saveButton())
    await userEvent.type(screen.getByLabelText('Author'), 'ymous')
    answer({ ...standard, promptTemplate: 'Draw {{prompt}}. Now.', defaultValues: { ...plain, author: 'Anon' } })
    await waitFor(() => expect(saveButton()).toBeEnabled())
    expect(saveButton()).toHaveTextContent('Save Changes')
    expect(screen.getByLabelText('Author')).toHaveValue('Anonymous')
    await userEvent.type(screen.getByLabelText('Author'), '{Backspace>5/}')
    expect(saveButton()).toHaveTextContent('Saved')
    expect(editor).toHaveValue('Draw {{prompt}}. Now.')
  })

  it('say why they could not be saved, each reason at its field', async () => {
    const fields = { promptTemplate: 'There is no variable {{x}}.', 'defaultValues.genre': 'Must be at most 50 long.' }
    const codes = {
      promptTemplate: { code: 'unknown_variable' },
      'defaultValues.genre': { code: 'too_long', values: { count: 50 } },
    }
    page({ [SAVE]: new Refusal(422, fields.promptTemplate, fields, 'invalid_fields', codes) })
    const editor = await template()
    await userEvent.type(editor, '{{{{x}}')
    await userEvent.click(saveButton())
    const sentence = 'This contains a variable that does not exist.'
    expect(await screen.findByText(`Failed to update setting: ${sentence}`)).toBeVisible()
    expect(editor).toHaveAccessibleDescription(sentence)
    expect(screen.getByLabelText('Genre')).toHaveAccessibleDescription('Please use at most 50 characters.')
    expect(saveButton()).toHaveTextContent('Save Changes')
    await userEvent.type(editor, '.')
    expect(editor).toBeValid()
  })

  it('are not lost without a word, not even to the other tab', async () => {
    const { router } = page()
    const editor = await template()
    await userEvent.type(editor, ' Now.')
    await userEvent.click(screen.getByRole('tab', { name: 'Theme Generator' }))
    let dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await template()).toHaveValue('Draw {{prompt}}. Now.')
    await userEvent.click(screen.getByRole('tab', { name: 'Theme Generator' }))
    dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'theme' }))
    await waitFor(async () => expect(await template()).toHaveValue('{{themeStylePrompt}}: {{prompt}}'))
    await userEvent.click(screen.getByRole('tab', { name: 'Standard Generator' }))
    await waitFor(async () => expect(await template()).toHaveValue('Draw {{prompt}}.'))
  })

  it('can be asked for again when they could not be read', async () => {
    let up = false
    page({ [`GET ${STANDARD}`]: () => (up ? standard : new Refusal(503, 'Away.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    up = true
    await userEvent.click(again)
    expect(await template()).toBeVisible()
    expect(await screen.findByText('As it is rendered.')).toBeVisible()
  })
})

describe('the original template', () => {
  const restore = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Restore the original template' }))
    return within(await screen.findByRole('dialog', { name: 'Restore the original template?' }))
  }

  it('comes back once that is confirmed, and other changes wait to be saved', async () => {
    const { requests } = page({ [SAVE]: { ...standard, promptTemplate: 'The original {{prompt}}.' } })
    const editor = await template()
    await userEvent.type(editor, ' Mine.')
    await userEvent.type(screen.getByLabelText('Author'), 'Anon')
    await userEvent.click((await restore()).getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(editor).toHaveValue('The original {{prompt}}.'))
    expect(requests.filter(({ call }) => call === SAVE).map(({ body }) => body)).toEqual([
      { settingKey: 'standard_prompt', promptTemplate: null },
    ])
    expect(screen.getByLabelText('Author')).toHaveValue('Anon')
    expect(saveButton()).toHaveTextContent('Save Changes')
    await userEvent.clear(screen.getByLabelText('Author'))
    expect(saveButton()).toHaveTextContent('Saved')
  })

  it('stays away when it cannot be had', async () => {
    page({ [SAVE]: new Refusal(503, 'Away.') })
    await userEvent.click((await restore()).getByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('Failed to update setting: Away.')).toBeVisible()
    expect(await template()).toHaveValue('Draw {{prompt}}.')
  })
})

describe('the preview', () => {
  const previews = (requests: { call: string; body: unknown }[]) =>
    requests.filter(({ call }) => call === PREVIEW).map(({ body }) => body)

  it('is what the server makes of what stands in the form, a moment after the last key', async () => {
    const { requests } = page({ [PREVIEW]: ({ promptTemplate }: Saved) => ({ text: `<${promptTemplate}>` }) })
    expect(await screen.findByText('<Draw {{prompt}}.>')).toBeVisible()
    await userEvent.type(await template(), ' Now.')
    expect(await screen.findByText('<Draw {{prompt}}. Now.>')).toBeVisible()
    expect(previews(requests).length).toBeLessThan(5)
    expect(previews(requests).at(-1)).toEqual({
      promptTemplate: 'Draw {{prompt}}. Now.',
      defaultValues: plain,
      showGenreCheckbox: false,
      filled: { title: '[Title]', author: '[Author]', genre: '[Genre]', prompt: '[Description]' },
      hasReferenceImages: false,
    })
  })

  it('can be had with nothing filled in, and with pictures', async () => {
    const { requests } = page()
    await screen.findByText('As it is rendered.')
    await userEvent.click(screen.getByRole('radio', { name: 'Nothing' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'With reference images' }))
    await waitFor(() => expect(previews(requests).at(-1)).toMatchObject({ filled: {}, hasReferenceImages: true }))
  })

  it('says when nothing is left', async () => {
    page({ [PREVIEW]: { text: '' } })
    expect(await screen.findByText(/The prompt is empty/)).toBeVisible()
  })

  it('tells what is wrong before anything is saved', async () => {
    const fields = { promptTemplate: 'Variables are written like this.' }
    const codes = { promptTemplate: { code: 'stray_braces' } }
    const refused = new Refusal(422, fields.promptTemplate, fields, 'invalid_fields', codes)
    page({ [PREVIEW]: ({ promptTemplate }: Saved) => (promptTemplate?.endsWith('{{') ? refused : { text: 'Good.' }) })
    const editor = await template()
    await userEvent.type(editor, '{{{{')
    await waitFor(() => expect(editor).toHaveAccessibleDescription(/^Double curly braces/))
    expect(screen.getByText(/The preview appears when/)).toBeVisible()
    await userEvent.type(editor, '{Backspace}{Backspace}')
    expect(await screen.findByText('Good.')).toBeVisible()
    expect(editor).toBeValid()
  })

  it('can be asked for again', async () => {
    let up = false
    page({ [PREVIEW]: () => (up ? { text: 'There.' } : new Refusal(503, 'Away.')) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    up = true
    await userEvent.click(again)
    expect(await screen.findByText('There.')).toBeVisible()
  })
})
