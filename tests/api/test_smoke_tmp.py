def test_cover(product, ada):
    cover = ada.cover()
    assert cover["width"] == 1024
    assert product.doctor() == ""
