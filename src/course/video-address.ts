/** Recognizes the addresses of videos on YouTube and Vimeo, which are identified by an id. */
import { parseUrl } from "../base/http.ts";
import type { PlainObject } from "../base/values.ts";

const YOUTUBE = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com)$/;

/** The `video` field for the address of a video. */
export function videoByAddress(
  address: string,
): { readonly value: PlainObject; readonly isCertain: boolean } | undefined {
  const url = /^https?:\/\//i.test(address) && parseUrl(address);
  if (!url) return undefined;
  const found = hostedVideo(url);
  return found === undefined
    ? {
        value: { type: "self_hosted", url: address },
        isCertain: /\.(?:mp4|webm|mov|m4v)$/i.test(url.pathname),
      }
    : { value: found, isCertain: true };
}

function hostedVideo({ hostname, pathname, searchParams }: URL): PlainObject | undefined {
  const youtube = YOUTUBE.test(hostname)
    ? (searchParams.get("v") ?? /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(pathname)?.[1])
    : hostname === "youtu.be"
      ? pathname.slice(1)
      : undefined;
  if (youtube !== undefined) {
    return /^[\w-]{11}$/.test(youtube) ? { type: "youtube", id: youtube } : undefined;
  }
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined;
  const vimeo = /\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
  return vimeo === undefined ? undefined : { type: "vimeo", id: vimeo };
}

/** The video without the address of its page, whose id identifies it; undefined without an id. */
export function videoWithId(video: PlainObject): PlainObject | undefined {
  const { url, ...rest } = video;
  const address = typeof url === "string" ? parseUrl(url) : undefined;
  const hosted = address === undefined ? undefined : hostedVideo(address);
  if (hosted === undefined || hosted.type !== video.type) return undefined;
  return (video.id ?? hosted.id) === hosted.id ? { ...rest, id: hosted.id } : undefined;
}
