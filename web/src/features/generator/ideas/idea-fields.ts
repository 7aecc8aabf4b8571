import type { Idea } from '@/api/generated'
import { type Brief, LENGTHS, lengthOf } from '../model/brief'

/** What the form is filled with from an idea; `mood` and `colors` are said in words as far as there is room. */
export function fieldsOf(
  idea: Idea,
  genre: string,
  now: Pick<Brief, 'title' | 'genre'>,
  { mood, colors }: { mood: string; colors: string },
): Pick<Brief, 'prompt' | 'genre' | 'title' | 'elements'> {
  const more = [idea.mood && mood, idea.palette.length > 0 && colors].filter((line): line is string => Boolean(line))
  const prompt = more.reduce((said, line) => {
    const longer = `${said}\n${line}`
    return lengthOf(longer) <= LENGTHS.prompt ? longer : said
  }, idea.description)
  return { prompt, genre: genre || now.genre, title: now.title || (idea.titles[0] ?? ''), elements: null }
}
