export type StreamEvent = { event: string; data: string }

/** Reads an answer of `text/event-stream` as it comes: for streams that a GET cannot ask for. Ends with the answer. */
export async function* readEvents(answer: Response): AsyncGenerator<StreamEvent> {
  if (!answer.body) return
  let rest = ''
  const text = answer.body.pipeThrough(new TextDecoderStream())
  for await (const chunk of chunksOf(text)) {
    const blocks = (rest + chunk).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parse(block)
      if (event) yield event
    }
  }
}

// not every browser lets a stream be iterated over
async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** One block of lines; undefined for comments, which keep the line open. */
function parse(block: string): StreamEvent | undefined {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
  return data.length > 0 ? { event, data: data.join('\n') } : undefined
}
