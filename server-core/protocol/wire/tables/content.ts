import { OBJECT_META } from './messages.ts'
import {
  ANY,
  BASE64,
  BOOLEAN,
  choice,
  FRACTION,
  INTEGER,
  list,
  may,
  named,
  need,
  object,
  only,
  OPEN,
  since,
  tagged,
  TEXT,
  union,
  until,
  URI,
  type Definitions,
  type Fields,
} from '../shape.ts'

const annotations: Fields = { annotations: may(named('ContentAnnotations')) }

/** Names for people and pictures, of everything that is listed. */
export const SHOWN_FIELDS: Fields = {
  title: may(TEXT, since('2025-06-18')),
  icons: may(list(named('Icon')), since('2025-11-25')),
}

/** What a resource and a link to one say. */
export const RESOURCE_FIELDS: Fields = {
  ...OBJECT_META,
  ...SHOWN_FIELDS,
  ...annotations,
  uri: need(URI),
  name: need(TEXT),
  description: may(TEXT),
  mimeType: may(TEXT),
  size: may(INTEGER),
}

const contents: Fields = { ...OBJECT_META, uri: need(URI), mimeType: may(TEXT) }

/** Content blocks and what they hold (Tools, Prompts and Sampling: data types). */
export const CONTENT: Definitions = {
  Role: { shape: choice('user', 'assistant') },
  Annotated: only(object(annotations), until('2024-11-05')),
  Annotations: only(named('ContentAnnotations'), since('2025-03-26')),
  ContentAnnotations: {
    shape: object({
      audience: may(list(named('Role'))),
      priority: may(FRACTION),
      lastModified: may(TEXT, since('2025-06-18')),
    }),
  },
  Icon: only(
    object({
      src: need(URI),
      mimeType: may(TEXT),
      sizes: may(list(TEXT)),
      theme: may(choice('light', 'dark')),
    }),
    since('2025-11-25'),
  ),
  Icons: only(object({ icons: may(list(named('Icon'))) }), since('2025-11-25')),
  TextContent: {
    shape: object({ ...OBJECT_META, ...annotations, type: need(choice('text')), text: need(TEXT) }),
  },
  ImageContent: {
    shape: object({
      ...OBJECT_META,
      ...annotations,
      type: need(choice('image')),
      data: need(BASE64),
      mimeType: need(TEXT),
    }),
  },
  AudioContent: only(
    object({
      ...OBJECT_META,
      ...annotations,
      type: need(choice('audio')),
      data: need(BASE64),
      mimeType: need(TEXT),
    }),
    since('2025-03-26'),
  ),
  EmbeddedResource: {
    shape: object({
      ...OBJECT_META,
      ...annotations,
      type: need(choice('resource')),
      resource: need(named('AnyResourceContents')),
    }),
  },
  ResourceLink: only(
    object({ ...RESOURCE_FIELDS, type: need(choice('resource_link')) }),
    since('2025-06-18'),
  ),
  ContentBlock: only(named('AnyContentBlock'), since('2025-06-18')),
  AnyContentBlock: {
    shape: tagged(
      'type',
      named('TextContent'),
      named('ImageContent'),
      only(named('AudioContent'), since('2025-03-26')),
      named('EmbeddedResource'),
      only(named('ResourceLink'), since('2025-06-18')),
    ),
  },
  ToolUseContent: only(
    object({
      ...OBJECT_META,
      type: need(choice('tool_use')),
      id: need(TEXT),
      name: need(TEXT),
      input: need(OPEN),
    }),
    since('2025-11-25'),
  ),
  ToolResultContent: only(
    object({
      ...OBJECT_META,
      type: need(choice('tool_result')),
      toolUseId: need(TEXT),
      content: need(list(named('AnyContentBlock'))),
      structuredContent: [may(OPEN, until('2025-11-25')), may(ANY, since('2026-07-28'))],
      isError: may(BOOLEAN),
    }),
    since('2025-11-25'),
  ),
  SamplingMessageContentBlock: only(named('AnySamplingBlock'), since('2025-11-25')),
  AnySamplingBlock: {
    shape: tagged(
      'type',
      named('TextContent'),
      named('ImageContent'),
      only(named('AudioContent'), since('2025-03-26')),
      only(named('ToolUseContent'), since('2025-11-25')),
      only(named('ToolResultContent'), since('2025-11-25')),
    ),
  },
  ResourceContents: { shape: object(contents) },
  TextResourceContents: { shape: object({ ...contents, text: need(TEXT) }) },
  BlobResourceContents: { shape: object({ ...contents, blob: need(BASE64) }) },
  AnyResourceContents: { shape: union(named('TextResourceContents'), named('BlobResourceContents')) },
}
