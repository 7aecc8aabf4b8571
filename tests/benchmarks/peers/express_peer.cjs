// The gallery with Express and better-sqlite3, in our own tables. Runs with the packages of `install.sh`.

const { createHash } = require("node:crypto");
const Sqlite = require("better-sqlite3");
const express = require("express");

const PER_PAGE = 50;

const database = new Sqlite(process.env.PEER_DATABASE, { readonly: true });
const signIn = database.prepare("SELECT user_id FROM session WHERE token_hash = ? AND expires_at > ?").pluck();
const newest = database.prepare(`
  SELECT title, author, genre, subtitle, series, number, tagline, cover.id, width, height, tint, placeholder, theme_id,
    starred, cover.created_at, deleted_at, sha256
  FROM cover JOIN picture ON picture.id = cover.picture_id
  WHERE user_id = ? AND deleted_at IS NULL
  ORDER BY cover.created_at DESC, cover.id DESC LIMIT ${PER_PAGE}`);

const moment = (text) => text && `${text.slice(0, 19).replace(" ", "T")}Z`;
const address = (row, size) => `/api/covers/${row.id}/image?size=${size}&v=${row.sha256.slice(0, 16)}`;
const gallery = (userId) =>
  newest.all(userId).map((row) => ({
    title: row.title,
    author: row.author,
    genre: row.genre,
    subtitle: row.subtitle,
    series: row.series,
    number: row.number,
    tagline: row.tagline,
    id: row.id,
    imageUrl: address(row, "original"),
    previewUrl: address(row, "960"),
    thumbnailUrl: address(row, "320"),
    width: row.width,
    height: row.height,
    tint: row.tint,
    placeholder: row.placeholder,
    themeId: row.theme_id,
    starred: Boolean(row.starred),
    createdAt: moment(row.created_at),
    deletedAt: moment(row.deleted_at),
  }));

function signedIn(request, response, next) {
  const token = /(?:^|; )coverwright=([^;]*)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const now = new Date().toISOString().replace("T", " ").slice(0, 23);
  request.userId = signIn.get(createHash("sha256").update(token).digest("hex"), now);
  if (request.userId === undefined) response.sendStatus(401);
  else next();
}

const app = express();
app.get("/healthz", (_, response) => response.json({ status: "ok" }));
app.get("/of/:userId/covers", (request, response) => response.json(gallery(Number(request.params.userId))));
app.get("/api/covers", signedIn, (request, response) => response.json(gallery(request.userId)));
app.listen(Number(process.env.PEER_PORT), "127.0.0.1");
