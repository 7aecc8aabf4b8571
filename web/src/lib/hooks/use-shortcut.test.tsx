import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { expect, it, vi } from 'vitest'
import { useShortcut, useShortcuts } from './use-shortcut'

type Options = Parameters<typeof useShortcut>[3]

function Shortcut({ keys, act, ...options }: { keys: string; act: () => unknown } & Options) {
  useShortcut(keys, `does ${keys}`, act, options)
  return null
}

function Page({ keys, act, ...options }: { keys: string; act: () => unknown } & Options) {
  return (
    <>
      <Shortcut keys={keys} act={act} {...options} />
      <input aria-label="field" />
      <input aria-label="slider" type="range" />
      <button type="button">button</button>
      <div role="dialog" aria-label="dialog">
        <button type="button">inside</button>
      </div>
    </>
  )
}

const press = async (keys: string, options: Options = {}, where?: () => HTMLElement, combination = keys) => {
  const act = vi.fn()
  const user = userEvent.setup()
  const { unmount } = render(<Page keys={combination} act={act} {...options} />)
  if (where) where().focus()
  await user.keyboard(keys)
  unmount()
  await user.keyboard(keys)
  return act.mock.calls.length
}

it('acts on its key while it is there', async () => expect(await press('i')).toBe(1))

it.each([
  ['{Control>}i{/Control}', 'i'],
  ['{Shift>}i{/Shift}', 'i'],
  ['i', 'shift+i'],
  ['{Alt>}{ArrowUp}{/Alt}', 'arrowup'],
])('does not take %s for %s', async (pressed, keys) => expect(await press(pressed, {}, undefined, keys)).toBe(0))

it.each([
  ['{Shift>}X{/Shift}', 'shift+x'],
  ['{Control>}{Enter}{/Control}', 'mod+enter'],
  ['{Meta>}{Enter}{/Meta}', 'mod+enter'],
  ['{Alt>}{ArrowUp}{/Alt}', 'alt+arrowup'],
  ['?', '?'],
  ['{Shift>}?{/Shift}', '?'],
])('takes %s for %s', async (pressed, keys) => expect(await press(pressed, {}, undefined, keys)).toBe(1))

it.each([
  ['a Russian keyboard', 'i', { key: 'ш', code: 'KeyI' }],
  ['an Arabic keyboard', '?', { key: '؟', code: 'Slash', shiftKey: true }],
  ['a French keyboard', '2', { key: 'é', code: 'Digit2' }],
  ['a Mac, with the option key', 'alt+a', { key: 'å', code: 'KeyA', altKey: true }],
])('is found on %s', (_, keys, pressed) => {
  const act = vi.fn()
  render(<Page keys={keys} act={act} />)
  document.body.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, bubbles: true }))
  expect(act).toHaveBeenCalledOnce()
})

it('rests while something is typed, but for combinations with Ctrl that do not edit', async () => {
  const field = () => screen.getByLabelText('field')
  expect(await press('i', {}, field)).toBe(0)
  expect(await press('{Control>}a{/Control}', {}, field, 'mod+a')).toBe(0)
  expect(await press('{Control>}{Enter}{/Control}', {}, field, 'mod+enter')).toBe(1)
})

it('leaves Enter to buttons and the arrows to what they move', async () => {
  expect(await press('{Enter}', {}, () => screen.getByText('button'), 'enter')).toBe(0)
  expect(await press('{ArrowLeft}', {}, () => screen.getByLabelText('slider'), 'arrowleft')).toBe(0)
  expect(await press('c', {}, () => screen.getByLabelText('slider'))).toBe(1)
})

it('belongs to the page or to a dialog', async () => {
  const inside = () => screen.getByText('inside')
  expect(await press('i', {}, inside)).toBe(0)
  expect(await press('i', { dialog: true }, inside)).toBe(1)
  expect(await press('i', { dialog: true })).toBe(0)
})

it('can be out of use for a while', async () => expect(await press('i', { when: false })).toBe(0))

it('can belong to one field', async () => {
  const act = vi.fn()
  function One() {
    const field = useRef<HTMLInputElement>(null)
    useShortcut('alt+arrowup', 'does', act, { within: field })
    return <input ref={field} aria-label="own" />
  }
  render(
    <>
      <One />
      <input aria-label="other" />
    </>,
  )
  screen.getByLabelText('other').focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(act).not.toHaveBeenCalled()
  screen.getByLabelText('own').focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  expect(act).toHaveBeenCalledOnce()
})

it('hands the key on when it says so, the last one first', async () => {
  const first = vi.fn()
  const last = vi.fn(() => false)
  render(
    <>
      <Shortcut keys="x" act={first} />
      <Shortcut keys="x" act={last} />
    </>,
  )
  await userEvent.keyboard('x')
  expect(last).toHaveBeenCalledOnce()
  expect(first).toHaveBeenCalledOnce()
})

it('is listed once, whether it can be used now or not', () => {
  function List() {
    return useShortcuts(false).map(({ label }) => <p key={label}>{label}</p>)
  }
  render(
    <>
      <Shortcut keys="x" act={vi.fn()} when={false} />
      <Shortcut keys="x" act={vi.fn()} />
      <List />
    </>,
  )
  expect(screen.getAllByText('does x')).toHaveLength(1)
})

it('is listed where it works: on the page, or in a dialog', () => {
  function List({ dialog }: { dialog: boolean }) {
    return useShortcuts(dialog).map(({ label }) => <p key={label}>{`${label} ${dialog}`}</p>)
  }
  render(
    <>
      <Shortcut keys="x" act={vi.fn()} />
      <Shortcut keys="y" act={vi.fn()} dialog />
      <List dialog={false} />
      <List dialog />
    </>,
  )
  expect(screen.getAllByText(/^does/).map(({ textContent }) => textContent)).toEqual(['does x false', 'does y true'])
})
